@NullMarked
package io.asynq.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
