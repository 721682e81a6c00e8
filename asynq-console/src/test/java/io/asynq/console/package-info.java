@NullMarked
package io.asynq.console;

import org.jspecify.annotations.NullMarked;
