package io.asynq;

/**
 * The task is in a state in which this cannot be done with it (asynq O09, O11, O13, O15).
 * Nothing was changed.
 */
public class TaskStateException extends AsynqException {

	private final TaskState state;

	/**
	 * Creates the exception.
	 * @param queue the task's queue
	 * @param id the task's id
	 * @param state the state it is in
	 * @param refused what was not done, and why: a clause that follows the task's name
	 */
	public TaskStateException(String queue, String id, TaskState state, String refused) {
		super("Task '" + id + "' of queue '" + queue + "' is " + state.wireName() + " and " + refused);
		this.state = state;
	}

	/**
	 * Returns the state the task was in.
	 * @return the state
	 */
	public TaskState state() {
		return this.state;
	}

}
