package io.asynq.reliability.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Appends what one process sees to its file of the ledger: one write per line, so that a
 * process may be killed at any moment and loses nothing of what it has written. Safe for
 * concurrent use. Lines are tab-separated; Go workers write the same:
 *
 * <pre>
 * A | R | U   time queue id max-retry detail      acknowledged, refused, unknown
 * S           time queue id attempt run           a handler starts
 * E           time queue id attempt run outcome   a handler has ended
 * F           start end name worker explains detail
 * </pre>
 *
 * Times are microseconds since 1970 of this machine's clock; runs are counted within the
 * process.
 */
public final class LedgerWriter implements AutoCloseable {

	static final String SUFFIX = ".ledger";

	private final FileChannel file;

	private final Clock clock;

	private final AtomicLong runs = new AtomicLong();

	private LedgerWriter(FileChannel file, Clock clock) {
		this.file = file;
		this.clock = clock;
	}

	/**
	 * Opens the file of a process.
	 * @param ledger the folder of the ledger
	 * @param process the name of the process, used by no other
	 * @param clock the clock of this machine, whatever clock else is worked with
	 * @return the writer
	 */
	public static LedgerWriter open(Path ledger, String process, Clock clock) {
		try {
			Files.createDirectories(ledger);
			return new LedgerWriter(FileChannel.open(ledger.resolve(process + SUFFIX), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE, StandardOpenOption.APPEND), clock);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The ledger cannot be written", ex);
		}
	}

	/**
	 * Logs what a producer was told.
	 * @param answer the answer
	 * @param task the task
	 * @param maxRetry its retries
	 * @param detail what it is to do, or the error
	 */
	public void enqueued(Enqueued.Answer answer, TaskKey task, int maxRetry, String detail) {
		write(answer.name().charAt(0), now(), task.queue(), task.id(), maxRetry, oneLine(detail));
	}

	/**
	 * Logs that a handler starts.
	 * @param task the task
	 * @param attempt how many retries came before
	 * @return the number of this run, for {@link #ended}
	 */
	public long started(TaskKey task, int attempt) {
		long run = this.runs.incrementAndGet();
		write('S', now(), task.queue(), task.id(), attempt, run);
		return run;
	}

	/**
	 * Logs that a handler has ended; to be called by the handler itself, so before
	 * anything of it can be in Redis.
	 * @param task the task
	 * @param attempt how many retries came before
	 * @param run the number of the run
	 * @param outcome how it ended
	 */
	public void ended(TaskKey task, int attempt, long run, RunOutcome outcome) {
		write('E', now(), task.queue(), task.id(), attempt, run, outcome);
	}

	/**
	 * Logs a fault.
	 * @param window the time during which harm was done
	 */
	public void window(FaultWindow window) {
		write('F', micros(window.start()), micros(window.end()), window.fault(), window.worker(), window.explains(),
				oneLine(window.detail()));
	}

	@Override
	public void close() {
		try {
			this.file.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void write(char kind, Object... fields) {
		StringBuilder line = new StringBuilder(96).append(kind);
		for (Object field : fields) {
			line.append('\t').append(field);
		}
		ByteBuffer bytes = ByteBuffer.wrap(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
		try {
			this.file.write(bytes);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The ledger cannot be written", ex);
		}
	}

	private long now() {
		return micros(this.clock.instant());
	}

	private static long micros(Instant time) {
		return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
	}

	private static String oneLine(String text) {
		return text.replaceAll("\\s+", " ");
	}

}
