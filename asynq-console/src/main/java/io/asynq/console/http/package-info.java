/**
 * The console over HTTP, whatever web framework it runs in.
 */
@NullMarked
package io.asynq.console.http;

import org.jspecify.annotations.NullMarked;
