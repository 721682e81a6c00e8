package io.asynq.internal.enqueue;

import java.time.Instant;

public sealed interface Placement {

	record Pending() implements Placement {
	}

	record Scheduled(Instant at) implements Placement {
	}

	record Grouped() implements Placement {
	}

}
