package io.asynq.internal.text;

import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class OneLineLoggerTests {

	private static final String FORGED = "t1\r\n2026-11-22 ERROR forged\u001b[31m";

	private final org.slf4j.Logger logger = OneLineLogger.of(OneLineLoggerTests.class);

	private final Logger appended = (Logger) LoggerFactory.getLogger(OneLineLoggerTests.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>() {

		@Override
		protected void append(ILoggingEvent event) {
			event.getCallerData();
			super.append(event);
		}

	};

	@BeforeEach
	void attach() {
		this.log.start();
		this.appended.setLevel(Level.DEBUG);
		this.appended.setAdditive(false);
		this.appended.addAppender(this.log);
	}

	@AfterEach
	void detach() {
		this.appended.detachAppender(this.log);
		this.appended.setAdditive(true);
		this.appended.setLevel(null);
	}

	@Test
	void valueIsLoggedOnOneLine() {
		this.logger.warn("Archived {} after {} retries: {}", FORGED, 3, "no\nstock");
		assertThat(line()).isEqualTo("Archived t1\\r\\n2026-11-22 ERROR forged\\u001b[31m after 3 retries: no\\nstock");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 0x7, 0xb, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x200b, 0x2028, 0x2029, 0x202e, 0x2066, 0xfeff,
			0xd800, 0xdfff, 0xe000, 0xe0001, 0x10ffff })
	void invisibleCharactersAreEscaped(int codePoint) {
		this.logger.info("{}", "a" + Character.toString(codePoint) + "b");
		assertThat(line()).matches("a(\\\\u[0-9a-f]{4})+b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "email:send", "größe", "注文", "C:\\temp", "a b", "\ud83d\ude80", "" })
	void visibleCharactersAreUnchanged(String text) {
		this.logger.debug("{}", text);
		assertThat(line()).isEqualTo(text);
	}

	@Test
	void longValueIsCut() {
		this.logger.error("{}", "x".repeat(100_000));
		assertThat(line()).hasSizeLessThan(2100).endsWith("x… (98000 more)");
	}

	@Test
	void nestedExternalTextIsEscapedToo() {
		this.logger.info("queues {}", Map.of("a\nb", List.of("c\td")));
		assertThat(line()).isEqualTo("queues {a\\nb=[c\\td]}");
	}

	@Test
	void valueThatCannotBePrintedIsNamed() {
		this.logger.warn("{} and {}", new Object() {
			@Override
			public String toString() {
				throw new StackOverflowError("mine");
			}
		}, null);
		assertThat(line()).startsWith("(" + getClass().getName()).endsWith("which cannot be shown) and null");
	}

	@Test
	void plainErrorIsLoggedAsIs() {
		Exception error = new IllegalStateException("outer", new IllegalArgumentException("inner"));
		this.logger.warn("It failed", error);
		assertThat(stack()).startsWith("java.lang.IllegalStateException: outer")
			.contains("Caused by: java.lang.IllegalArgumentException: inner");
	}

	@Test
	void errorTextsAreLoggedOnOneLineAtAnyDepth() {
		Exception cause = new IllegalArgumentException("the cause of " + FORGED);
		cause.addSuppressed(new IllegalStateException("beside " + FORGED));
		this.logger.warn("It failed for {}", FORGED, new IllegalStateException("outer", cause));
		assertThat(stack().lines()).noneMatch((line) -> line.startsWith("2026"))
			.anyMatch((line) -> line.contains("java.lang.IllegalStateException: outer"))
			.anyMatch((line) -> line.contains("java.lang.IllegalArgumentException: the cause of t1\\r\\n2026"))
			.anyMatch((line) -> line.contains("beside t1\\r\\n2026"))
			.anyMatch((line) -> line.contains("at " + getClass().getName()));
		assertThat(stack()).doesNotContain("\u001b");
	}

	@Test
	void errorWhoseMethodsFailIsLoggedByClassName() {
		this.logger.error("It failed", new RuntimeException() {
			@Override
			public String getMessage() {
				throw new IllegalStateException("no message");
			}

			@Override
			public StackTraceElement[] getStackTrace() {
				throw new IllegalStateException("no stack");
			}
		});
		assertThat(line()).isEqualTo("It failed");
		assertThat(stack()).contains(getClass().getName(), "which cannot be shown");
	}

	@Test
	void errorThatIsItsOwnCauseIsLogged() {
		Exception first = new IllegalStateException("first\n");
		Exception second = new IllegalStateException("second", first);
		first.initCause(second);
		this.logger.error("It failed", second);
		assertThat(stack()).contains("java.lang.IllegalStateException: first\\n");
	}

	@Test
	void lineNamesCallingClass() {
		this.logger.info("here");
		assertThat(this.log.list.get(0).getCallerData()[0].getMethodName()).isEqualTo("lineNamesCallingClass");
		assertThat(this.log.list.get(0).getLoggerName()).isEqualTo(getClass().getName());
	}

	@Test
	void disabledLevelDoesNotEvaluateArguments() {
		this.appended.setLevel(Level.INFO);
		this.logger.debug("{}", FORGED);
		assertThat(this.log.list).isEmpty();
	}

	private String line() {
		assertThat(this.log.list).hasSize(1);
		return this.log.list.get(0).getFormattedMessage();
	}

	private String stack() {
		return ThrowableProxyUtil.asString(this.log.list.get(0).getThrowableProxy());
	}

}
