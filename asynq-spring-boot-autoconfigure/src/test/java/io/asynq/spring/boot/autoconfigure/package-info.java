/**
 * Tests of the auto-configuration.
 */
@NullMarked
package io.asynq.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
