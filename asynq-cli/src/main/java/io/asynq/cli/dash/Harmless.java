package io.asynq.cli.dash;

import org.jline.utils.WCWidth;

/**
 * Characters that a terminal draws and does not obey. Names, ids and payloads come from
 * anybody who may enqueue.
 */
final class Harmless {

	/** Stands for what cannot be drawn. */
	static final int INSTEAD = '·';

	private Harmless() {
	}

	static int character(int codePoint) {
		return switch (Character.getType(codePoint)) {
			// Format characters turn the direction of the line; a lone surrogate is none
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
					Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
				INSTEAD;
			case Character.SPACE_SEPARATOR -> ' ';
			default -> (WCWidth.wcwidth(codePoint) > 0) ? codePoint : INSTEAD;
		};
	}

	static int width(int codePoint) {
		return WCWidth.wcwidth(codePoint);
	}

	static int width(String text) {
		return text.codePoints().map((codePoint) -> width(character(codePoint))).sum();
	}

	/** Tells whether all characters can be drawn; line ends and tabs count as such. */
	static boolean isText(String text) {
		return text.codePoints()
			.allMatch((codePoint) -> codePoint == '\n' || codePoint == '\r' || codePoint == '\t'
					|| character(codePoint) != INSTEAD || codePoint == INSTEAD);
	}

}
