package io.asynq.cli.dash;

/**
 * What keys can bring about beyond the screen.
 */
interface Outside {

	/** Reads what is looked at, soon. */
	void read(Place place, Part part);

	/** Does something that was confirmed. */
	void act(Act act);

	/** Does no more of what is being done. */
	void stopActing();

	/** Draws the whole screen anew. */
	void redraw();

	void quit();

}
