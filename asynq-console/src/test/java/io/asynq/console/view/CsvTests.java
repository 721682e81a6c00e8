package io.asynq.console.view;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CsvTests {

	@ParameterizedTest
	@ValueSource(strings = { "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1" })
	void noCellIsFormula(String cell) {
		assertThat(row(cell)).satisfiesAnyOf((row) -> assertThat(row).startsWith("'" + cell),
				(row) -> assertThat(row).startsWith("\"'" + cell));
	}

	@Test
	void numbersStayNumbersAndSpecialCharactersStayInTheirCell() {
		assertThat(row(-5, null, "a,b", "say \"hi\"", "two\nlines"))
			.isEqualTo("-5,,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n");
	}

	private static String row(Object... cells) {
		Csv csv = new Csv();
		csv.row(cells);
		return csv.text();
	}

}
