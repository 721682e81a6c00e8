@NullMarked
package io.asynq.internal.cancel;

import org.jspecify.annotations.NullMarked;
