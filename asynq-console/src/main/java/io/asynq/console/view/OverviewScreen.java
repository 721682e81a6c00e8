package io.asynq.console.view;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.QueueNotFoundException;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.DailyStats;
import io.asynq.inspect.QueueInfo;
import io.asynq.internal.inspect.QueueReader;
import io.asynq.operations.attention.Dated;
import io.asynq.operations.attention.Remembered;

final class OverviewScreen implements ConsoleScreen {

	private static final int LONGEST = 90;

	/** Past days do not change, and of today the overview tells more. */
	private static final Duration HISTORY_AGE = Duration.ofSeconds(30);

	private final Remembered<State> state;

	private final RateHistory rates;

	private final Payloads payloads;

	private final QueueReader queues;

	private final Clock clock;

	private final Map<Integer, Remembered<Dated<Map<String, List<DailyStats>>>>> histories = new ConcurrentHashMap<>();

	OverviewScreen(Remembered<State> state, RateHistory rates, Payloads payloads, QueueReader queues, Clock clock) {
		this.state = state;
		this.rates = rates;
		this.payloads = payloads;
		this.queues = queues;
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("overview", this::overview);
		routes.get("counts", this::counts);
		routes.get("history", this::history);
	}

	private Overview overview(ConsoleCall call) {
		return Overview.of(this.state.get(), this.rates.rates(), this.payloads, call.caller(), call.text("cursor"));
	}

	/** As streams tell it, for those who have none; a queue may be younger than that. */
	private QueueCounts counts(ConsoleCall call) {
		String queue = call.queue();
		return QueueCounts.of(this.state.get(), queue)
			.or(() -> this.queues.stats(queue)
				.map((stats) -> QueueCounts.of(new QueueInfo(queue, stats, this.clock.instant()))))
			.orElseThrow(() -> new QueueNotFoundException(queue));
	}

	private History history(ConsoleCall call) {
		int days = call.integer("days", 10, 1, LONGEST);
		if (call.has("q")) {
			String queue = call.queue();
			if (!this.queues.exists(queue)) {
				throw new QueueNotFoundException(queue);
			}
			Instant now = this.clock.instant();
			return sum(now, days, List.of(this.queues.history(queue, day(now), days)));
		}
		Dated<Map<String, List<DailyStats>>> read = this.histories
			.computeIfAbsent(days, (each) -> new Remembered<>(() -> all(each), HISTORY_AGE))
			.get();
		List<List<DailyStats>> seen = new ArrayList<>();
		read.value().forEach((queue, history) -> {
			if (call.caller().sees(queue)) {
				seen.add(history);
			}
		});
		return sum(read.at(), days, seen);
	}

	private Dated<Map<String, List<DailyStats>>> all(int days) {
		Map<String, List<DailyStats>> all = new ConcurrentHashMap<>();
		Instant now = this.clock.instant();
		this.queues.queues().forEach((queue) -> all.put(queue, this.queues.history(queue, day(now), days)));
		return new Dated<>(now, all);
	}

	private static History sum(Instant at, int days, List<List<DailyStats>> histories) {
		List<Day> sums = new ArrayList<>();
		for (int i = 0; i < days; i++) {
			long processed = 0;
			long failed = 0;
			for (List<DailyStats> history : histories) {
				processed += history.get(i).processed();
				failed += history.get(i).failed();
			}
			sums.add(new Day(day(at).minusDays(i), processed, failed));
		}
		return new History(at, sums);
	}

	private static LocalDate day(Instant at) {
		return LocalDate.ofInstant(at, ZoneOffset.UTC);
	}

	record History(Instant asOf, List<Day> days) {
	}

	record Day(LocalDate date, long processed, long failed) {
	}

}
