package io.asynq.sample;

import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Lists payments that failed for good, and retries them by hand.
 */
@RestController
@RequestMapping("/payments/declined")
class DeclinedPayments {

	private static final String QUEUE = "critical";

	private final AsynqInspector inspector;

	DeclinedPayments(AsynqInspector inspector) {
		this.inspector = inspector;
	}

	@GetMapping
	List<Declined> list(@RequestParam(defaultValue = "1") int page) {
		return this.inspector.listTasks(QUEUE, TaskState.ARCHIVED, Page.of(Math.max(1, page), Page.DEFAULT_SIZE))
			.stream()
			.map(Declined::of)
			.toList();
	}

	@PostMapping("/{id}/retry")
	@ResponseStatus(HttpStatus.ACCEPTED)
	void tryAgain(@PathVariable String id) {
		this.inspector.runTask(QUEUE, id);
	}

	/**
	 * A payment that failed for good.
	 */
	record Declined(String id, String reason) {

		private static Declined of(TaskInfo task) {
			return new Declined(task.id(), String.valueOf(task.lastError()));
		}

	}

}
