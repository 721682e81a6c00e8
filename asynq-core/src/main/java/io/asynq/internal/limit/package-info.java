@NullMarked
package io.asynq.internal.limit;

import org.jspecify.annotations.NullMarked;
