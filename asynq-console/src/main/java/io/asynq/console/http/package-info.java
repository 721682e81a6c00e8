/**
 * The console over HTTP, with Spring MVC and WebFlux, and who may do what.
 */
@NullMarked
package io.asynq.console.http;

import org.jspecify.annotations.NullMarked;
