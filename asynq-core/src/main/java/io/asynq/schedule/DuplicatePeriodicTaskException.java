package io.asynq.schedule;

import java.util.List;

/**
 * Two periodic tasks have the same id.
 */
public class DuplicatePeriodicTaskException extends InvalidPeriodicTaskException {

	public DuplicatePeriodicTaskException(String problem) {
		super(List.of(problem));
	}

}
