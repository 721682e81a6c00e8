/**
 * The server: its public interface, settings and assembly.
 */
@NullMarked
package io.asynq.server;

import org.jspecify.annotations.NullMarked;
