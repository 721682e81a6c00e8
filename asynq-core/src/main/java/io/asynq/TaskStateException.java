package io.asynq;

/**
 * The operation is not possible in the state that the task is in. Nothing was changed.
 */
public class TaskStateException extends AsynqException {

	private final TaskState state;

	/**
	 * Creates the exception.
	 * @param refused why it was not done, as a clause that continues the message
	 */
	public TaskStateException(String queue, String id, TaskState state, String refused) {
		super("Task '" + id + "' of queue '" + queue + "' is " + state.wireName() + " and " + refused);
		this.state = state;
	}

	/**
	 * Returns the state the task was in.
	 */
	public TaskState state() {
		return this.state;
	}

}
