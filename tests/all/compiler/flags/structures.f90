! STRUCTURE and RECORD: values of components, structures in structures, UNION and MAP, %FILL, points and names that are operators.
module shapes
  implicit none
  structure /point/
    real x, y
  end structure
contains
  subroutine move(p, by)
    record /point/ p
    real, intent(in) :: by
    p.x = p.x + by
    p.y = p.y + by
  end subroutine
end module

program structures
  use shapes
  implicit none
  integer, parameter :: n = 3
  structure /date/
    integer*2 year /1999/
    integer month /2/, day /28/
    character*5 name /"HELLO"/
    integer days(n) /1, 2*5/
    real grid(2, 2) /4*0.5/
  end structure
  structure /event/
    record /date/ when
    structure /place/ here, there(2)
      integer row, column
    end structure
    structure plain
      logical l
    end structure
  end structure
  structure /words/
    integer(4) before
    union
      map
        integer(8) whole
      end map
      map
        integer(4) low, high
        union
          map
            character*4 letters
          end map
          map
            integer(1) bytes(4)
          end map
        end union
      end map
    end union
    integer(4) after
  end structure
  structure /spaced/
    character(2) a
    character(2) %fill
    character(2) b
  end structure
  structure /flat/
    character chars(6)
  end structure
  record /date/ date, dates(2)
  record /event/ e
  record /place/ p
  record /point/ points(3)
  record /words/ w
  record /spaced/ s
  record /flat/ f
  type(point) :: q
  equivalence (s, f)
  integer :: eq = 4

  if (date.year /= 1999 .or. dates(2).day.ne.28 .or. date.name // '!' /= 'HELLO!') stop 1
  if (any(date.days /= [1, 5, 5]) .or. sum(date.grid) /= 2) stop 2
  e.when = date
  e.when.month = eq
  if (e.when.month.eq.4.and.e.when.year.gt.1998) eq = 5
  if (eq /= 5) stop 3
  p.row = 1; p.column = 2
  e.here = p
  e.there(2) = e.here
  e.there(2).row = 7
  e.plain.l = .true.
  if (e.here.row /= 1 .or. e.there(2).row + e.there(2).column /= 9 .or. .not.e.plain.l) stop 4
  points.x = 1
  points(2).y = 5
  call move(points(2), 2.)
  if (points(2).x /= 3 .or. points(2)%y /= 7) stop 5
  q = points(2)
  if (q%x /= 3) stop 6
  w.before = 11
  w.after = 12
  w.whole = 4294967298_8
  w.letters = 'abcd'
  if (w.low /= 2 .or. w.high /= 1 .or. w.bytes(2) /= 98) stop 7
  w.high = 0
  if (w.whole /= 2 .or. w.before /= 11 .or. w.after /= 12) stop 8
  s.a = '12'
  s.b = '34'
  if (f.chars(2) /= '2' .or. f.chars(5) /= '3') stop 9
end program
