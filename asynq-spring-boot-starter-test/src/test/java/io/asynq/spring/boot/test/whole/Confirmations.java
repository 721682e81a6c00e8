package io.asynq.spring.boot.test.whole;

import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.asynq.AsynqClient;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;
import org.slf4j.MDC;
import org.springframework.stereotype.Component;

@Component
class Confirmations {

	private final AsynqClient client;

	private final Journal journal;

	Confirmations(AsynqClient client, Journal journal) {
		this.client = client;
		this.journal = journal;
	}

	@TaskHandler("transfer:confirm")
	void confirm(String id) {
		this.journal.add("confirmed " + id + " for " + MDC.get("tenant"));
		this.client.enqueue("transfer:archive", id);
	}

	@TaskHandler(type = "transfer:fail", retryDelay = "7m")
	void fail() {
		throw new IllegalStateException("no line to the other bank");
	}

	@TaskHandler(type = "transfer:hang", timeout = "6s")
	void hang() throws InterruptedException {
		this.journal.add("begun");
		try {
			new CountDownLatch(1).await();
		}
		finally {
			this.journal.add("interrupted");
		}
	}

	@TaskHandler("transfer:patient")
	void patient(TaskContext context) {
		this.journal.add("until " + context.deadline());
	}

	@TaskAggregator(group = "customer:", type = "digest")
	String digest(List<String> transfers, String group) {
		if (transfers.contains("unreadable")) {
			throw new IllegalStateException("no digest of " + group);
		}
		return group + " " + transfers;
	}

	@TaskHandler("digest")
	void send(String digest) {
		this.journal.add("sent " + digest);
	}

	@PeriodicTask(cron = "@every 1h", id = "balance", type = "balance")
	String balance() {
		return "all";
	}

	@TaskHandler("balance")
	void balanced(String accounts) {
		this.journal.add("balanced " + accounts);
	}

}
