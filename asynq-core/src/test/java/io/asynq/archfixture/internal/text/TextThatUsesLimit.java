package io.asynq.archfixture.internal.text;

import io.asynq.archfixture.internal.limit.PlainLimit;
import org.jspecify.annotations.Nullable;

public final class TextThatUsesLimit {

	final @Nullable PlainLimit used = null;

}
