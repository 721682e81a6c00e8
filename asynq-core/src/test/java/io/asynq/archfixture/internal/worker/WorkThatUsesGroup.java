package io.asynq.archfixture.internal.worker;

import io.asynq.archfixture.internal.group.PlainGroup;
import org.jspecify.annotations.Nullable;

public final class WorkThatUsesGroup {

	final @Nullable PlainGroup used = null;

}
