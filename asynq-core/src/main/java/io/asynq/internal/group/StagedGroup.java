package io.asynq.internal.group;

import java.time.Instant;

/** No other aggregator gets these tasks until the set expires. */
public record StagedGroup(String queue, String group, String set, int size, Instant expiresAt, long endNanos) {

	GroupName name() {
		return new GroupName(this.queue, this.group);
	}

}
