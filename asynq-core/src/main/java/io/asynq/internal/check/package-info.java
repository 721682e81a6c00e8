@NullMarked
package io.asynq.internal.check;

import org.jspecify.annotations.NullMarked;
