/**
 * The console in Spring WebFlux.
 */
@NullMarked
package io.asynq.console.reactive;

import org.jspecify.annotations.NullMarked;
