package io.asynq.archfixture.internal.group;

import io.asynq.archfixture.internal.limit.PlainLimit;
import org.jspecify.annotations.Nullable;

public final class GroupThatUsesLimit {

	final @Nullable PlainLimit used = null;

}
