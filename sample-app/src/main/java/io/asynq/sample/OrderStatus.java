package io.asynq.sample;

import java.util.LinkedHashMap;
import java.util.Map;

import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Looks up the states of an order's tasks.
 */
@Component
class OrderStatus {

	private final AsynqInspector inspector;

	private final OrderStore orders;

	private final ObjectReader json;

	OrderStatus(AsynqInspector inspector, OrderStore orders, JsonMapper json) {
		this.inspector = inspector;
		this.orders = orders;
		this.json = json.reader(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
	}

	OrderView view(Order order) {
		Map<String, TaskView> tasks = new LinkedHashMap<>();
		order.tasks().forEach((task) -> tasks.put(task.name(), view(task)));
		return new OrderView(order.id(), order.customer(), order.item(), order.quantity(), order.total(),
				this.orders.isUnpaid(order.id()), tasks);
	}

	/**
	 * Tells whether a task has succeeded or failed for good.
	 */
	boolean isWorkedOff(OrderTask task) {
		if (this.orders.isWaiting(task)) {
			return false;
		}
		TaskInfo info = find(task);
		return info == null || info.state() == TaskState.COMPLETED || info.state() == TaskState.ARCHIVED;
	}

	private TaskView view(OrderTask task) {
		// In this order: a task is in the outbox until it is in Redis
		if (this.orders.isWaiting(task)) {
			return TaskView.waiting(task);
		}
		TaskInfo info = find(task);
		if (info == null) {
			return TaskView.done(task);
		}
		byte[] result = info.result();
		return new TaskView(info.id(), info.queue(), info.state().wireName(), info.retried(), info.lastError(),
				(result != null) ? this.json.readTree(result) : null);
	}

	// A task that succeeded is deleted at once unless it has a retention
	private @Nullable TaskInfo find(OrderTask task) {
		try {
			return this.inspector.taskInfo(task.queue(), task.id());
		}
		catch (TaskNotFoundException | QueueNotFoundException ex) {
			return null;
		}
	}

}
