! PRESENT decides, also in an internal procedure and down a chain.
module m
contains
  subroutine outer(n)
    integer, optional, intent(in) :: n
    call middle(n)
  end subroutine
  subroutine middle(n)
    integer, optional, intent(in) :: n
    call inner
  contains
    subroutine inner
      if (present(n)) then
        print *, n
      else
        print *, 'none'
      end if
    end subroutine
  end subroutine
end module
program right
  use m
  call outer(4)
  call outer
end program
