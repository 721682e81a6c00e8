/**
 * The actuator endpoint {@code asynq} and what it shares with {@code info}.
 */
@NullMarked
package io.asynq.spring.boot.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
