! told at 4:19: The result of function 'area' is not set
module shapes
contains
    real function area(kind)
      character(*), intent(in) :: kind
      if (kind == 'square') area = 1
    end function
end module
program fault
  use shapes
  print *, area('circle')
end program
