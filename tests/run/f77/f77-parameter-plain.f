C     PARAMETER without parentheses, as DEC's compilers had it: a blank tells it from an assignment.
      PROGRAM PLAIN
      PARAMETER SHIPS=3
      PARAMETER LARGE = 8.5
      PARAMETER	TABBED=4
      INTEGER A(10)
C     A subscript that is REAL is truncated.
      EQUIVALENCE (B, A(LARGE))
      B = 1
      PRINT *, SHIPS, LARGE, TABBED, A(8) .NE. 0
      END
