/** Tests that servers and calls follow Sentinel to a new master. */
@NullMarked
package io.asynq.reliability.nodes;

import org.jspecify.annotations.NullMarked;
