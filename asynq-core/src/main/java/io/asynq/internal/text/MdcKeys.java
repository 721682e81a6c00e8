package io.asynq.internal.text;

public final class MdcKeys {

	public static final String TASK_ID = "asynq.task.id";

	public static final String TASK_TYPE = "asynq.task.type";

	public static final String TASK_QUEUE = "asynq.task.queue";

	/** The number of the attempt, 1 for the first. */
	public static final String TASK_ATTEMPT = "asynq.task.attempt";

	private MdcKeys() {
	}

}
