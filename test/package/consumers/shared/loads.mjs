import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as lib from 'nestjs-redis-lock';
import * as testing from 'nestjs-redis-lock/testing';
import assert from 'node:assert/strict';
import { smoke } from './smoke.cjs';

assert.match(import.meta.resolve('nestjs-redis-lock'), /dist\/esm\/index\.js$/);
assert.equal(typeof testing.bindLockService, 'function');
await smoke(lib, { Injectable, Module, NestFactory });
