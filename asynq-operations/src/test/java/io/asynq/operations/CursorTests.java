package io.asynq.operations;

import io.asynq.AsynqException;
import io.asynq.inspect.Page;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CursorTests {

	@Test
	void goesOnWithTheSizeOfTheBeginning() {
		Cursor first = Cursor.of(null, 50);
		assertThat(first.page()).isEqualTo(Page.of(1, 50));
		assertThat(Cursor.of(first.next(), 7).page()).isEqualTo(Page.of(2, 50));
	}

	@Test
	void hasTheDefaultSizeOfPages() {
		assertThat(Cursor.of(null, null).page()).isEqualTo(Page.first());
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "1", "1.2.3", "0.5", "1.0", "1.201", "1.x", "." })
	void refusesCursorOfOthers(String cursor) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> Cursor.of(cursor, null))
			.withMessageContaining("'cursor'");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 201 })
	void refusesSizeOutOfRange(int size) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> Cursor.of(null, size))
			.withMessageContaining("'size'");
	}

}
