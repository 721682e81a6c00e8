package io.asynq.test.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Processes may still write to the files: an incomplete last line is ignored.
 */
public final class LedgerReader {

	private final Map<TaskKey, Enqueued> enqueued = new HashMap<>();

	private final Map<TaskKey, List<Run>> runs = new HashMap<>();

	private final Map<TaskKey, List<Taken>> taken = new HashMap<>();

	private final List<FaultWindow> windows = new ArrayList<>();

	private final Aggregations aggregations = new Aggregations(new HashMap<>(), new HashMap<>());

	private final List<Fired> fired = new ArrayList<>();

	private final Map<String, SchedulerLife> schedulers = new TreeMap<>();

	private LedgerReader() {
	}

	public static Ledger read(Path folder) {
		LedgerReader reader = new LedgerReader();
		try (Stream<Path> files = Files.list(folder)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(LedgerWriter.SUFFIX)).sorted().toList()) {
				reader.readFile(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The ledger in " + folder + " cannot be read", ex);
		}
		reader.runs.values().forEach((runs) -> runs.sort(Comparator.comparing(Run::start)));
		reader.windows.sort(Comparator.comparing(FaultWindow::start));
		return new Ledger(reader.enqueued, reader.runs, reader.taken, reader.windows, reader.aggregations,
				new Fires(reader.fired, reader.schedulers()));
	}

	/** For schedulers that were killed, the fault is the end. */
	private List<SchedulerLife> schedulers() {
		this.windows.forEach((window) -> ends(window.worker(), window.start()));
		return List.copyOf(this.schedulers.values());
	}

	private void readFile(Path file) throws IOException {
		String name = file.getFileName().toString();
		String worker = name.substring(0, name.length() - LedgerWriter.SUFFIX.length());
		String text = Files.readString(file, StandardCharsets.UTF_8);
		Map<String, Run> started = new HashMap<>();
		int from = 0;
		for (int to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
			readLine(worker, started, text.substring(from, to).split("\t", -1));
			from = to + 1;
		}
		started.values().forEach(this::add);
	}

	private void readLine(String worker, Map<String, Run> started, String[] fields) {
		switch (fields[0]) {
			case "A" -> add(Enqueued.Answer.ACKNOWLEDGED, fields);
			case "R" -> add(Enqueued.Answer.REFUSED, fields);
			case "U" -> add(Enqueued.Answer.UNKNOWN, fields);
			case "T" -> this.taken.computeIfAbsent(task(fields), (task) -> new ArrayList<>(1))
				.add(new Taken(task(fields), worker, time(fields[1])));
			case "S" -> started.put(fields[5],
					new Run(task(fields), Integer.parseInt(fields[4]), worker, time(fields[1]), null, null));
			case "E" -> {
				Run run = started.remove(fields[5]);
				add(new Run(run.task(), run.attempt(), worker, run.start(), time(fields[1]),
						RunOutcome.valueOf(fields[6])));
			}
			case "G" -> this.aggregations.made()
				.put(task(fields), new Aggregation(task(fields), worker, time(fields[1]), members(fields)));
			case "M" -> this.aggregations.given().put(task(fields), members(fields));
			case "P" ->
				this.fired.add(new Fired(task(fields), fields[4], Instant.ofEpochSecond(Long.parseLong(fields[5]))));
			case "B" -> this.schedulers.put(worker, new SchedulerLife(worker,
					Duration.ofMillis(Long.parseLong(fields[2])), time(fields[1]), Instant.MAX));
			case "X" -> ends(worker, time(fields[1]));
			case "F" -> this.windows.add(new FaultWindow(fields[3], fields[4], Explains.valueOf(fields[5]),
					time(fields[1]), time(fields[2]), fields[6]));
			default -> throw new IllegalStateException("The ledger of " + worker + " has a line of kind " + fields[0]);
		}
	}

	private void add(Enqueued.Answer answer, String[] fields) {
		TaskKey task = task(fields);
		this.enqueued.put(task, new Enqueued(time(fields[1]), task, answer, Integer.parseInt(fields[4]), fields[5]));
	}

	private void add(Run run) {
		this.runs.computeIfAbsent(run.task(), (task) -> new ArrayList<>(1)).add(run);
	}

	private void ends(String scheduler, Instant end) {
		this.schedulers.computeIfPresent(scheduler, (name, life) -> end.isBefore(life.to())
				? new SchedulerLife(name, life.ahead(), life.from(), end) : life);
	}

	private static List<String> members(String[] fields) {
		return List.of(fields[4].split(","));
	}

	private static TaskKey task(String[] fields) {
		return new TaskKey(fields[2], fields[3]);
	}

	private static Instant time(String micros) {
		return Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
	}

}
