@NullMarked
package io.asynq.internal.text;

import org.jspecify.annotations.NullMarked;
