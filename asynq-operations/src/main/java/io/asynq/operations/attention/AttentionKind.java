package io.asynq.operations.attention;

import java.util.Locale;
import java.util.Map;

enum AttentionKind {

	FAILING("%d queues fail most of what they run",
			"See the errors, and mend their cause before you run the tasks again", "failures"),

	QUEUE_WITHOUT_CONSUMER("%d queues have tasks that no live server takes",
			"Start a server that has them in asynq.server.queues", "queues"),

	TYPE_WITHOUT_HANDLER("%d queues have tasks of types that no server has a handler for",
			"Deploy a handler, or delete the tasks", "queues"),

	PERIODIC_FAILING("%d periodic tasks fail whenever they fire", "See the error of the last task", "periodic"),

	ORPHANED_TASKS("%d queues have active tasks whose worker is gone",
			"Start a server that has the queues: it takes the tasks back within a minute", "queues"),

	STUCK_HANDLER("%d handlers run longer than they may",
			"See in a thread dump of their servers where they hang, and restart these", "servers"),

	BACKLOG("%d queues are served more slowly than they fill", "Start more servers, or raise asynq.server.concurrency",
			"queues"),

	STARVING("Tasks have waited long for limits in %d places", "See what holds the limits' tokens, or raise the limits",
			"servers"),

	DEAD_SERVER("%d servers have gone without signing off: they were killed, or cannot reach Redis",
			"See in their logs and in the platform's events why they ended", "servers"),

	ARCHIVE_FULL("%d archives are full: with each further task their oldest is deleted", "Run or delete archived tasks",
			"failures"),

	ARCHIVE_NEAR_CAP("%d archives are nearly full", "Run or delete archived tasks", "failures"),

	PAUSED_LONG("%d queues have been paused for long", "Resume them", "queues"),

	CLOCK_SKEW("%d servers have clocks that differ from that of Redis", "Synchronize their clocks", "servers"),

	PREFLIGHT("%d settings of Redis put tasks at risk", "Change the settings of Redis", "redis");

	private final String several;

	private final String action;

	private final String screen;

	AttentionKind(String several, String action, String screen) {
		this.several = several;
		this.action = action;
		this.screen = screen;
	}

	String wireName() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	String several(int count) {
		return String.format(Locale.ROOT, this.several, count);
	}

	String action() {
		return this.action;
	}

	Attention.Screen screen() {
		return new Attention.Screen(this.screen, Map.of());
	}

}
