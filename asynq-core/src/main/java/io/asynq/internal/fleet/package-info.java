@NullMarked
package io.asynq.internal.fleet;

import org.jspecify.annotations.NullMarked;
