/**
 * Wires asynq into Spring Boot applications.
 */
@NullMarked
package io.asynq.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
