! options: -fdec-structure
! STRUCTURE with a wrong number of initial values, and UNION and MAP that do not match.
program structure_wrong
  implicit none
  structure /s/
    integer a(3) /1, 2/
    integer b(2) /3*1/
    map
      integer c
    end map
    union
      map
        real x
      end map
    end union
  end structure
  structure /u/
    union
      map
        real x
  end structure
end program
