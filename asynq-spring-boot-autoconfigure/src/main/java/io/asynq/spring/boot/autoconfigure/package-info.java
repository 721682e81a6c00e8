/**
 * Wires asynq into Spring Boot applications: properties, conditions, health, metrics and
 * failure analyzers.
 */
@NullMarked
package io.asynq.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
