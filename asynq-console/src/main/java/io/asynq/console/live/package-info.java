/**
 * What the console shows while somebody looks: read once, told to all.
 */
@NullMarked
package io.asynq.console.live;

import org.jspecify.annotations.NullMarked;
