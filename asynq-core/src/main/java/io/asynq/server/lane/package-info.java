/**
 * One lane per Redis node, so that a node that hangs delays only its own queues.
 */
@NullMarked
package io.asynq.server.lane;

import org.jspecify.annotations.NullMarked;
