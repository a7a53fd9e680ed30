export { bindLockService } from './bind-lock-service.js';
