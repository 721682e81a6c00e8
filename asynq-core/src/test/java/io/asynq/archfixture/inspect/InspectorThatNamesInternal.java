package io.asynq.archfixture.inspect;

import io.asynq.archfixture.internal.limit.PlainLimit;
import org.jspecify.annotations.Nullable;

public final class InspectorThatNamesInternal {

	public @Nullable PlainLimit limit() {
		return null;
	}

	@Nullable PlainLimit notForUsers() {
		return null;
	}

}
