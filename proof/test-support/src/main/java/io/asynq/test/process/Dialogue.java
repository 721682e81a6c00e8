package io.asynq.test.process;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A process that answers each line with a line and ends when its input is closed.
 */
public final class Dialogue implements AutoCloseable {

	private static final String ENDED = "nothing, it has ended";

	private static final Duration END = Duration.ofSeconds(10);

	private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

	private final Predicate<String> isAnswer;

	private final Path log;

	private final Duration patience;

	private final Child process;

	/**
	 * @param isAnswer tells answers from other output
	 * @param patience how long an answer may take
	 */
	public Dialogue(String name, List<String> command, Path log, Predicate<String> isAnswer, Duration patience) {
		this.isAnswer = isAnswer;
		this.log = log;
		this.patience = patience;
		this.process = Child.start(name, command, log, new Answers());
	}

	public String name() {
		return this.process.name();
	}

	public long pid() {
		return this.process.pid();
	}

	/** The answer must be taken before the next line is sent. */
	public void send(String line) {
		try {
			this.process.send(line);
		}
		catch (UncheckedIOException ex) {
			// The process has ended, which the answer will say
		}
	}

	/** Also a text that says that the process has ended. */
	public String answer() {
		try {
			String line = this.answers.poll(this.patience.toSeconds(), TimeUnit.SECONDS);
			if (line != null) {
				if (line.equals(ENDED)) {
					// For the next call
					this.answers.add(line);
				}
				return line;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		throw new IllegalStateException(
				"'" + name() + "' has not answered within " + this.patience + "; its log is " + this.log);
	}

	@Override
	public void close() {
		this.process.finish(END);
	}

	private final class Answers implements Child.Listener {

		@Override
		public void said(String line) {
			if (Dialogue.this.isAnswer.test(line)) {
				Dialogue.this.answers.add(line);
			}
		}

		@Override
		public void ended() {
			Dialogue.this.answers.add(ENDED);
		}

	}

}
