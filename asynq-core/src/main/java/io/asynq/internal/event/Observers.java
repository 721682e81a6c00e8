package io.asynq.internal.event;

/** Who is told what client, scheduler and server do with tasks. */
public record Observers(TaskEvents events, TaskObservations observations) {

	public static Observers none() {
		return new Observers(TaskEvents.none(), TaskObservations.none());
	}

}
