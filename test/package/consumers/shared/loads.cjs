const assert = require('node:assert/strict');
const { Injectable, Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const lib = require('nestjs-redis-lock');
const testing = require('nestjs-redis-lock/testing');
const { smoke } = require('./smoke.cjs');

assert.match(require.resolve('nestjs-redis-lock'), /dist\/cjs\/index\.js$/);
assert.equal(typeof testing.bindLockService, 'function');
void smoke(lib, { Injectable, Module, NestFactory });
