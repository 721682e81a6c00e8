package io.asynq.archfixture.handler;

import io.asynq.archfixture.annotation.PlainAnnotation;
import org.jspecify.annotations.Nullable;

public final class HandlerThatUsesAnnotation {

	final @Nullable PlainAnnotation used = null;

}
