@NullMarked
package io.asynq.internal.lane;

import org.jspecify.annotations.NullMarked;
