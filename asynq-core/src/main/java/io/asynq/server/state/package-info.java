/**
 * The state and the counters of one server, shared by its components.
 */
@NullMarked
package io.asynq.server.state;

import org.jspecify.annotations.NullMarked;
