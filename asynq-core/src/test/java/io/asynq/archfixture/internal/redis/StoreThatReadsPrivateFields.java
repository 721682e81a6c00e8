package io.asynq.archfixture.internal.redis;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;

public final class StoreThatReadsPrivateFields {

	final @Nullable DirectFieldAccessor used = null;

}
