/**
 * What an operator looks at and does by hand: bounded, the same for all surfaces.
 */
@NullMarked
package io.asynq.operate;

import org.jspecify.annotations.NullMarked;
