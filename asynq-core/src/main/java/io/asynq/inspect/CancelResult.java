package io.asynq.inspect;

import io.asynq.CancelMode;

/**
 * What a cancellation has done.
 */
public enum CancelResult {

	/** The task was waiting and is archived. */
	ARCHIVED,

	/** The task was waiting and is deleted. */
	DELETED,

	/**
	 * The task is active: its server is asked to interrupt it, and the wish is stored
	 * with the task. When its attempt fails or its server is gone, the task is archived
	 * or deleted instead of being run again, unless its handler succeeds all the same.
	 */
	RECORDED,

	/**
	 * The task is active and its server is only asked to interrupt it: the mode is
	 * {@link CancelMode#RETRY}, or no live Java server of the queue could keep another
	 * wish.
	 */
	SIGNAL_SENT

}
