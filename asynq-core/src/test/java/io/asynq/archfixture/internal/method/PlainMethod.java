package io.asynq.archfixture.internal.method;

import io.asynq.archfixture.annotation.PlainAnnotation;
import org.jspecify.annotations.Nullable;

public final class PlainMethod {

	final @Nullable PlainAnnotation used = null;

}
