package io.asynq.console.view;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.WorkerInfo;
import io.asynq.internal.fleet.FleetReader;

/**
 * Where a task runs, as its server says.
 */
record Worker(String server, String host, int pid, Instant startedAt, Instant deadline) {

	/** Queue and id are the key. */
	static Map<List<String>, Worker> byTask(AsynqInspector inspector) {
		Map<List<String>, Worker> workers = new HashMap<>();
		for (ServerInfo server : inspector.servers()) {
			for (WorkerInfo worker : server.workers()) {
				workers.putIfAbsent(List.of(worker.queue(), worker.taskId()),
						new Worker(server.id(), server.host(), server.pid(), worker.startedAt(), worker.deadline()));
			}
		}
		return workers;
	}

}
