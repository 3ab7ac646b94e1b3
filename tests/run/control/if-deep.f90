! Block IFs nested twenty deep, with ELSE parts on the way.
program if_deep
  implicit none
  integer :: n
  do n = 0, 12, 4
    print *, n, depth(n)
  end do
contains
  integer function depth(n)
    integer, intent(in) :: n
    depth = 0
    if (n > 0) then
     depth = 1
     if (n > 1) then
      if (n > 2) then
       if (n > 3) then
        depth = 4
        if (n > 4) then
         if (n > 5) then
          if (n > 6) then
           if (n > 7) then
            if (n > 8) then
             depth = 9
             if (n > 9) then
              if (n > 10) then
               if (n > 11) then
                depth = 12
               else
                depth = -11
               end if
              end if
             end if
            else
             depth = -8
            end if
           end if
          end if
         end if
        else
         depth = -4
        end if
       end if
      end if
     end if
    else
     depth = -1
    end if
  end function depth
end program
